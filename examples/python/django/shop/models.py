from django.db import models
from snowmint.django import IdField, NewId


class Order(models.Model):
    id = IdField()
    ticket = models.BigIntegerField(default=NewId("TICKETS"), editable=False)
    customer = models.CharField(max_length=40)


class Line(models.Model):
    id = IdField()
    order = models.ForeignKey(Order, models.CASCADE, related_name="lines")
    item = models.CharField(max_length=40)
