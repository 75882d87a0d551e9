"""IDs of rows, and public IDs as the values of Django's model fields::

    SNOWMINT = f"snowflake+sqlite:{BASE_DIR}/ids.db?create=true"            # settings.py

    class Order(models.Model):
        id = IdField()                                                      # minted when it is made

    class Basket(models.Model):
        id = PublicIdField(orders, primary_key=True, default=NewId())       # a BIGINT there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import FieldError, ImproperlyConfigured, ValidationError
from django.db import models

import snowmint
from snowmint._errors import TextError
from snowmint._public_ids import checked

if TYPE_CHECKING:
    from snowmint import PublicIds, Source

    _IdField = models.BigIntegerField[int, int]
    _PublicIdField = models.BigIntegerField[str, str]
else:
    _IdField = _PublicIdField = models.BigIntegerField

__all__ = ["IdField", "NewId", "PublicIdField"]

_USUAL = "SNOWMINT"
# The lookups of public IDs. All others would compare the digits of the raw ID.
_LOOKUPS = frozenset({"exact", "in", "isnull", "gt", "gte", "lt", "lte", "range"})
_sources: dict[str, Source] = {}


def _source(setting: str) -> Source:
    """Returns the source of a setting's URL. A process has one source for each URL, and opens it
    when the first ID is needed."""
    url = getattr(settings, setting, None)
    if not isinstance(url, str):
        example = "snowflake+sqlite:/srv/shop/ids.db?create=true"
        raise ImproperlyConfigured(f'set {setting} to the URL of a source, as "{example}"')
    source = _sources.get(url)
    if source is None:
        source = snowmint.open(url, lazy=True)
        if not isinstance(source, snowmint.Source):
            kind = type(source).__name__
            raise ImproperlyConfigured(f"{setting} opens a {kind}, which has no 64-bit IDs")
        # Another thread may have been first.
        source = _sources.setdefault(url, source)
    return source


class NewId:
    """Mints an ID when it is called: the ``default`` of a field, which migrations can write.

    It has the name of a setting and not the URL, which may contain a password. Instances of a
    process with the same URL share a source, which is opened when the first ID is needed. A forked
    process has its own worker ID or ranges.

    Args:
        setting: the name of the setting that has the URL of a source (default ``SNOWMINT``).

    Raises:
        ImproperlyConfigured: by a call, if there is no such setting, or it is not a source of
            64-bit IDs.
        SnowmintError: by a call, an error of the source.
    """

    def __init__(self, setting: str = _USUAL) -> None:
        self.setting = setting

    def __call__(self) -> int:
        return _source(self.setting).next_id()

    def deconstruct(self) -> tuple[str, list[str], dict[str, str]]:
        arguments = [] if self.setting == _USUAL else [self.setting]
        return "snowmint.django.NewId", arguments, {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NewId) and self.setting == other.setting

    def __hash__(self) -> int:
        return hash((NewId, self.setting))

    def __repr__(self) -> str:
        return f"NewId({self.setting!r})"


class IdField(_IdField):
    """A primary key that is minted when the object is made: ``id = IdField()``.

    In migrations it is a ``BigIntegerField`` whose default is a ``NewId``. The database's integers
    have 63 bits: ``layout.fits(63)`` says whether a layout fits.

    Args:
        setting: like ``setting`` of ``NewId``.
        options: the options of a ``BigIntegerField``. By default ``primary_key`` is true and
            ``editable`` is false.
    """

    def __init__(self, *args: Any, setting: str = _USUAL, **options: Any) -> None:
        usual = {"primary_key": True, "editable": False, "default": NewId(setting)}
        super().__init__(*args, **{**usual, **options})

    def deconstruct(self) -> Any:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.BigIntegerField", args, options

    def clone(self) -> Any:
        _, _, args, options = self.deconstruct()
        return models.BigIntegerField(*args, **options)

    def get_internal_type(self) -> str:
        return "BigIntegerField"


class _Column(int):
    """A value of the column, already prepared, and not an ID by which somebody asks.

    Django prepares the values of lookups through related fields more than once.
    """

    __slots__ = ()


class PublicIdField(_PublicIdField):
    """A field of raw IDs, whose values in Python are public IDs: to look up, to store and to read.

    In migrations it is a ``BigIntegerField``, so they need no keys. A text that is not a public ID
    of its type is a ``ValidationError`` of a form or a model, and a ``TextError``, which is a
    ``ValueError``, of a query. An integer is a ``TypeError``, so that nobody can ask by the ID
    itself. Only a default may return an integer, for example ``NewId()`` or ``flake.next_id``; the
    object then has its public ID. IDs of 2**63 and more are negative in the database, as their bits
    are.

    - Lookups: whole public IDs by ``exact``, ``in`` and ``isnull``. For paging, ``gt``, ``gte``,
      ``lt``, ``lte`` and ``range`` follow ``order_by``, which orders by the raw IDs. Transforms and
      all other lookups (``startswith``, ``contains``, ``iexact``, ``regex``, …) are a
      ``FieldError``. They would reveal the raw ID digit by digit, for example through
      ``search_fields``.
    - Raw in the database: ``Cast``, ``Concat`` and similar functions work on the raw ID. So do not
      name the field in the admin's ``search_fields``, where ``id__exact`` is a ``Cast`` too.
    - In forms, including the admin's, it is a text input, even if a number input was requested.

    Args:
        ids: the result of ``PublicIdKeys.public_ids``.

    Raises:
        TypeError: if ``ids`` are something else.
    """

    # The validators of integers do not fit texts.
    default_validators = []

    def __init__(self, ids: PublicIds, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.ids = checked(ids, "PublicIdField")

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

    def get_lookup(self, name: str) -> Any:
        found = super().get_lookup(name)
        if found is not None and name not in _LOOKUPS:
            raise FieldError(
                f"{self} has public IDs, which are looked up whole, by {', '.join(sorted(_LOOKUPS))}, "
                f"and not by {name}, which would ask by the ID itself"
            )
        return found

    def get_transform(self, name: str) -> None:
        return None

    def to_python(self, value: Any) -> str | None:
        if value is None:
            return None
        try:
            self._decoded(value)
        except (TextError, TypeError) as error:
            raise ValidationError(str(error), code="invalid") from error
        return str(value)

    def _decoded(self, value: Any) -> int:
        if not isinstance(value, str):
            kind = type(value).__name__
            raise TypeError(f"{self} takes a public ID, as ids.encode(id) makes one, and no {kind}")
        return self.ids.decode(value)

    def get_default(self) -> Any:
        value = super().get_default()
        return self.ids.encode(value) if isinstance(value, int) else value

    def get_prep_value(self, value: Any) -> Any:
        if value is None or isinstance(value, _Column) or hasattr(value, "resolve_expression"):
            return value
        id = self._decoded(value)
        return _Column(id - (1 << 64) if id >> 63 else id)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        value = value if prepared else self.get_prep_value(value)
        # Drivers look for exactly this type.
        plain = int(value) if isinstance(value, _Column) else value
        return super().get_db_prep_value(plain, connection, prepared=True)

    def from_db_value(self, value: int | None, expression: Any, connection: Any) -> str | None:
        return None if value is None else self.ids.encode(value % (1 << 64))

    def formfield(self, **options: Any) -> Any:
        usual: dict[str, Any] = {"form_class": forms.CharField}
        if callable(self.default):
            usual["initial"] = self.get_default
        given = options.get("widget", forms.TextInput)
        if issubclass(given if isinstance(given, type) else type(given), forms.NumberInput):
            # The admin uses a number input for a BigIntegerField, in which a browser shows no text.
            # The class gives the admin's width.
            options["widget"] = forms.TextInput(attrs={"class": "vTextField"})
        return super(models.IntegerField, self).formfield(**{**usual, **options})
