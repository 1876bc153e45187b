using Cluster.Testing.Redis;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A process that runs a Redis server, and ends it when its own standard input ends: the server itself would
/// outlive a benchmark that was killed. Prints the port, or an empty line where there is no server.</summary>
public static class RedisHost
{
    /// <summary>The argument that starts this instead of a benchmark.</summary>
    public const string Argument = "--redis-server";

    /// <summary>Runs the server.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the port; an empty one where there is no server.</param>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        var server = RedisBinary.Missing is null ? await RedisServer.StartAsync() : null;
        await output.WriteLineAsync(server?.Port.ToString(CultureInfo.InvariantCulture) ?? "");
        await output.FlushAsync();
        await input.ReadToEndAsync();
        if (server is not null)
            await server.DisposeAsync();
        return 0;
    }
}
