"""Public IDs as the values of Django's model fields::

    class Order(models.Model):
        id = PublicIdField(orders, primary_key=True, default=new_order_id)  # a BIGINT there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from snowmint._errors import TextError

if TYPE_CHECKING:
    from snowmint import PublicIds

    _Field = models.BigIntegerField[str, str]
else:
    _Field = models.BigIntegerField

__all__ = ["PublicIdField"]


class PublicIdField(_Field):
    """A field of raw IDs, which are public ones in Python: what is looked up, stored and read.

    To migrations it is a ``BigIntegerField``: they need no keys. A text that is no public ID of its
    type is a ``ValidationError`` of a form or a model, and a ``TextError``, which is a
    ``ValueError``, of a query; an integer is a ``TypeError``. IDs of 2**63 and more are negative in
    the database, as their bits are.

    Args:
        ids: of ``Opaque.typed``.
    """

    # Those of integers are none of texts.
    default_validators = []

    def __init__(self, ids: PublicIds, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.ids = ids

    def deconstruct(self) -> Any:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.BigIntegerField", args, options

    def clone(self) -> Any:
        _, _, args, options = self.deconstruct()
        return models.BigIntegerField(*args, **options)

    @property
    def validators(self) -> Any:
        return super(models.IntegerField, self).validators

    def get_internal_type(self) -> str:
        return "BigIntegerField"

    def to_python(self, value: Any) -> str | None:
        if value is None:
            return None
        try:
            self.ids.decode(value)
        except (TextError, TypeError) as error:
            raise ValidationError(str(error), code="invalid") from error
        return str(value)

    def get_prep_value(self, value: Any) -> Any:
        if hasattr(value, "resolve_expression"):
            return value
        if value is None:
            return None
        id = self.ids.decode(value)
        return id - (1 << 64) if id >> 63 else id

    def from_db_value(self, value: int | None, expression: Any, connection: Any) -> str | None:
        return None if value is None else self.ids.encode(value % (1 << 64))

    def formfield(self, **options: Any) -> Any:
        return super(models.BigIntegerField, self).formfield(
            **{"form_class": forms.CharField, **options}
        )
