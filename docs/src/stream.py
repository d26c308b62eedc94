import asyncio

from sleuth import Agent, Database, Limits
from sleuth.event import Decided, Finished, Observed


async def main() -> None:
    limits = Limits(iterations=5, seconds=300)
    async with Agent("http://127.0.0.1:8000/v1", [Database("shop.sqlite")], limits=limits) as agent:
        async for event in agent.stream("How many EU orders are there?"):
            match event:
                case Decided(number, step):
                    print(f"{number}: {step.thought}")
                case Observed(_, seen):
                    print(f"{seen.call.tool}: {seen.text}")
                case Finished(answer):
                    print(f"{answer.text} ({answer.stop_reason})")
                case _:
                    pass


asyncio.run(main())
