from sleuth.config import load

with load("sleuth.toml").agent() as agent:
    answer = agent.ask("How many EU orders are there?")

print(answer.text)
