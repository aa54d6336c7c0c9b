"""Every page of the guide is shown, and every link in it works."""

from __future__ import annotations

import re

import pytest

from pbem.web.pages.guide import pages


@pytest.mark.parametrize("name", pages())
def test_every_page_of_the_guide_is_shown_and_its_links_lead_somewhere(nobody, name):
    answer = nobody.get(f"/guide/{name}")
    assert answer.status_code == 200 and pages()[name] in answer.text
    for link in re.findall(r'href="(/guide/[a-z]+)"', answer.text):
        assert nobody.get(link).status_code == 200
    assert ".md" not in re.findall(r'href="([^"]*)"', answer.text)


def test_the_guide_begins_with_its_first_page_and_knows_no_other(nobody):
    assert "Architecture" in nobody.get("/guide/").text
    assert nobody.get("/guide/nothing").status_code == 404
