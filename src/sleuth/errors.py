"""Every error sleuth raises.

    SleuthError
    ├── UsageError                what was asked for cannot be done as asked
    │   ├── ConfigError           sleuth.toml or an option is wrong
    │   └── CaseError             a line of a file of evaluation cases is wrong (evals.cases)
    ├── ModelError                the model or its server
    │   ├── ModelUnavailable      not reachable, or answered with an error
    │   ├── ModelNotFound         no such model here, and no mirror could bring it
    │   ├── ChecksumMismatch      the bytes are not the published ones
    │   ├── ContextExceeded       the prompt is longer than the model's context
    │   ├── Refused               the server does not take the request (models.transport)
    │   └── ConstraintViolated    the output breaks the contract it was asked to keep
    │       └── EndlessOutput     it repeated itself and was stopped
    ├── ConstraintUnsupported     no grammar can be compiled from this constraint
    ├── SourceError               a database, a folder of documents, the web
    │   ├── SourceUnavailable     down, or refuses the connection
    │   ├── StatementRefused      the SQL guard said no
    │   └── UnreadableDocument    a file that gives no text
    └── EvidenceError             an answer cites what was never seen

A fault of a tool or of the model inside a run becomes an observation the model reads (`result.Failure`); what is raised
here is for the caller. Each class says whether trying again may help, whose fault it is, and each instance carries a hint:
what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:  # a name for type checkers: at run time the errors lie below everything and import nothing
    from sleuth.trajectory import Usage

Fault = Literal["caller", "model", "server", "source"]


class SleuthError(Exception):
    """Base of all errors. `code` is stable and safe to match on; the message is for people."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    fault: ClassVar[Fault] = "caller"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  → {self.hint}" if self.hint else self.message


class UsageError(SleuthError):
    code = "usage"


class ConfigError(UsageError):
    code = "config"


class ModelError(SleuthError):
    code = "model"
    fault = "server"


class ModelUnavailable(ModelError):
    """`retry_after_seconds` is what the server asked for, where it did."""

    code = "model_unavailable"
    retryable = True

    def __init__(self, message: str, *, hint: str | None = None, retry_after_seconds: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_seconds = retry_after_seconds


class ModelNotFound(ModelError):
    code = "model_not_found"
    fault = "caller"


class ChecksumMismatch(ModelError):
    code = "checksum_mismatch"


class ContextExceeded(ModelError):
    code = "context_exceeded"
    fault = "caller"


class ConstraintViolated(ModelError):
    """`output` is the offending text, whole; `pointer` is the JSON pointer of the first breach, where there is one.

    `usage` is what the output cost; None where a text was checked that no model had just been paid for.
    """

    code = "constraint_violated"
    fault = "model"

    def __init__(
        self, message: str, *, output: str, pointer: str = "", hint: str | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.output = output
        self.pointer = pointer
        self.usage = usage


class EndlessOutput(ConstraintViolated):
    """Stopped because it repeated itself without end; `output` is what there was."""

    code = "endless_output"


class ConstraintUnsupported(SleuthError):
    code = "constraint_unsupported"


class SourceError(SleuthError):
    code = "source"
    fault = "source"


class SourceUnavailable(SourceError):
    code = "source_unavailable"
    retryable = True


class StatementRefused(SourceError):
    """`rule` names what was broken; the message tells the model what to write instead."""

    code = "statement_refused"
    fault = "model"

    def __init__(self, message: str, *, rule: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.rule = rule


class UnreadableDocument(SourceError):
    code = "unreadable_document"


class EvidenceError(SleuthError):
    code = "evidence"
    fault = "model"
