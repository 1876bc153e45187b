namespace Cluster.Testing.Redis;

/// <summary>Finds the Redis server program that tests and benchmarks start. Stateless.</summary>
public static class RedisBinary
{
    /// <summary>The environment variable with the path of the program, if it is not on the path.</summary>
    public const string Variable = "REDIS_SERVER";

    /// <summary>The reason why no Redis server can be started; <c>null</c> if one can.</summary>
    public static string? Missing => Find() is null
        ? $"needs the program 'redis-server' on PATH or in {Variable}; Debian has it in the package redis-server"
        : null;

    /// <summary>The program's full path; <c>null</c> if the program is missing.</summary>
    public static string? Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named)
            return File.Exists(named) ? named : null;
        var folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        return folders
            .Where(folder => folder.Length > 0)
            .Select(folder => Path.Combine(folder, "redis-server"))
            .FirstOrDefault(File.Exists);
    }
}
