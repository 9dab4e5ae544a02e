"""What the simulated user visits: the lab's pages, without its door."""

if __name__ == "__main__":
    from nicegui import ui

    from sevenout.lab import server

    server.register()
    ui.run(title="sevenout lab", tailwind=False, storage_secret="for tests only")
