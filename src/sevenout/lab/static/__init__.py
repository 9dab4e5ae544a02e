"""The static edition: a folder that any web server can serve, with the same Python in the page.

Pages that many will look at are files; every other address is answered by Pyodide in a worker of
the visitor's own browser, from what the folder holds and nothing else.
"""
