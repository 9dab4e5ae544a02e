"""The static edition: a folder for any web server, with the same Python in the page.

The main pages are files. Pyodide answers every other address in the visitor's browser, from the
folder alone.
"""
