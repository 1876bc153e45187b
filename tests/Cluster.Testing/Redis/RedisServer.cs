using System.Net.Sockets;

namespace Cluster.Testing.Redis;

/// <summary>A real Redis server on a free loopback port, or another server with its protocol, without persistence. Owned
/// by one test, one class of tests or one benchmark; disposal ends its process.</summary>
public sealed class RedisServer : IAsyncDisposable
{
    private static readonly TimeSpan StartBound = TimeSpan.FromSeconds(30);

    private readonly ChildProcess _process;

    private RedisServer(ChildProcess process, int port) => (_process, Port) = (process, port);

    /// <summary>The port of the server.</summary>
    public int Port { get; }

    /// <summary>The address of the server, as its clients write it.</summary>
    public string Address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Port}");

    /// <summary>Starts a server and waits until it accepts connections.</summary>
    /// <param name="chosenPort">The port of a server that was announced before it started; null: a free one.</param>
    public static Task<RedisServer> StartAsync(int? chosenPort = null)
    {
        var program = RedisBinary.Find() ?? throw new InvalidOperationException(RedisBinary.Missing);
        var port = chosenPort ?? FreePorts.Next();
        return WaitAsync(
            ChildProcess.Start(program, [.. ListenAt(port), "--save", "", "--appendonly", "no"]), port);
    }

    /// <summary>Starts the Garnet server of the tool manifest. By default, it keeps everything in memory.</summary>
    /// <returns>Null: the tool is not restored; <c>dotnet tool restore</c> does that.</returns>
    public static async Task<RedisServer?> TryStartGarnetAsync()
    {
        var port = FreePorts.Next();
        var process = ChildProcess.Start(
            "dotnet",
            ["tool", "run", "garnet-server", "--", .. ListenAt(port)],
            static start => start.WorkingDirectory = RepositoryFolder.Path);
        try
        {
            return await WaitAsync(process, port).ConfigureAwait(false);
        }
        catch (InvalidOperationException)
        {
            // The process has ended before it listened.
            return null;
        }
    }

    /// <summary>Ends the server. Idempotent.</summary>
    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private static string[] ListenAt(int port) =>
        ["--port", port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1"];

    private static async Task<RedisServer> WaitAsync(ChildProcess process, int port)
    {
        try
        {
            await Eventually.TrueAsync(
                () => process.HasExited ? throw Ended(process) : IsListeningAsync(port),
                StartBound,
                "the server listens").ConfigureAwait(false);
            return new RedisServer(process, port);
        }
        catch
        {
            await process.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private static InvalidOperationException Ended(ChildProcess process) =>
        new($"{process.Command} has ended. Its output:{Environment.NewLine}{process.Output}");

    private static async ValueTask<bool> IsListeningAsync(int port)
    {
        try
        {
            using var probe = new TcpClient();
            await probe.ConnectAsync(IPAddress.Loopback, port).ConfigureAwait(false);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
