from sleuth import Agent, Database, Documents

with Agent("qwen2.5-coder-1.5b", [Database("shop.sqlite"), Documents("papers")]) as agent:
    answer = agent.ask("How many EU orders are there, and how long can goods be returned?")

print(answer.text)
for item in answer.cited:
    print(f"[{item.id}] {item.locator}")
