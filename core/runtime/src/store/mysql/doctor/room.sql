SELECT @@GLOBAL.max_connections
