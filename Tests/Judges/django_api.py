"""An API of authors and books with Django REST framework, paged in four ways. Argument: the port on 127.0.0.1."""
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="invented", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"])
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, pagination, serializers  # noqa: E402

AUTHORS, BOOKS = 25, 7


class Author(models.Model):
    name = models.CharField(max_length=40)

    class Meta:
        app_label = "library"


class Book(models.Model):
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    name = models.CharField(max_length=40)

    class Meta:
        app_label = "library"


def view(model, paginator):
    """A list of a model. In a path with a number, only the books of this author."""
    class Rows(serializers.ModelSerializer):
        class Meta:
            pass

    Rows.Meta.model, Rows.Meta.fields = model, "__all__"

    class Pages(paginator):
        page_size, default_limit, ordering = 10, 10, "id"

    class View(generics.ListAPIView):
        serializer_class, pagination_class = Rows, Pages

        def get_queryset(self):
            return model.objects.filter(**self.kwargs).order_by("id")

    return View.as_view()


urlpatterns = [
    path("api/authors/", view(Author, pagination.PageNumberPagination)),
    path("api/offsets/", view(Book, pagination.LimitOffsetPagination)),
    path("api/cursors/", view(Book, pagination.CursorPagination)),
    path("api/authors/<int:author>/books/", view(Book, pagination.PageNumberPagination)),
]


class Quiet(WSGIRequestHandler):
    def log_message(self, *words):
        pass


with connection.schema_editor() as editor:
    editor.create_model(Author)
    editor.create_model(Book)
for number in range(1, AUTHORS + 1):
    author = Author.objects.create(name=f"Author {number}")
    # Some authors have no books, and some have two pages of them.
    for book in range((number % 3) * BOOKS):
        Book.objects.create(author=author, name=f"Book {book} of {number}")
make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), handler_class=Quiet).serve_forever()
