"""The built site, opened from a folder without a server."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHROMIUM = Path("/usr/bin/chromium")


@pytest.mark.slow  # MkDocs imports every package for the reference and takes half a minute
def test_search_works_from_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="Material for MkDocs builds the docs")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright drives the browser")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}; install Debian's package chromium")
    build = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, timeout=300)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"file://{tmp_path}/index.html")
        page.keyboard.press("/")
        page.keyboard.type("certificate")
        found = page.locator(".md-search-result__item a").first
        assert "certificates.html" in found.get_attribute("href", timeout=30_000)
        browser.close()
