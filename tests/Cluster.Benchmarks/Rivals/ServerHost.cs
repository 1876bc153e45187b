using Cluster.Testing.Redis;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A process that runs a server with the protocol of Redis, and ends it when its own standard input ends: the
/// server itself would outlive a benchmark that was killed. Prints the port, or an empty line where there is no
/// server.</summary>
public static class ServerHost
{
    /// <summary>The argument that starts a Redis server instead of a benchmark.</summary>
    public const string Redis = "--redis-server";

    /// <summary>The argument that starts a Garnet server instead of a benchmark.</summary>
    public const string Garnet = "--garnet-server";

    /// <summary>Runs a Redis server.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the port; an empty one where there is no server.</param>
    public static Task<int> RunRedisAsync(TextReader input, TextWriter output) =>
        RunAsync(async () => RedisBinary.Missing is null ? await RedisServer.StartAsync() : null, input, output);

    /// <summary>Runs the Garnet server of the tool manifest.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the port; an empty one where the tool is not restored.</param>
    public static Task<int> RunGarnetAsync(TextReader input, TextWriter output) =>
        RunAsync(RedisServer.TryStartGarnetAsync, input, output);

    private static async Task<int> RunAsync(Func<Task<RedisServer?>> start, TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        var server = await start();
        await output.WriteLineAsync(server?.Port.ToString(CultureInfo.InvariantCulture) ?? "");
        await output.FlushAsync();
        await input.ReadToEndAsync();
        if (server is not null)
            await server.DisposeAsync();
        return 0;
    }
}
