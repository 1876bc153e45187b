using System.Net.Sockets;

namespace Cluster.Testing.Redis;

/// <summary>A real Redis server on a free loopback port, without persistence. Owned by one test, one class of tests or
/// one benchmark; disposal ends its process.</summary>
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
    public static async Task<RedisServer> StartAsync(int? chosenPort = null)
    {
        var program = RedisBinary.Find() ?? throw new InvalidOperationException(RedisBinary.Missing);
        var port = chosenPort ?? FreePorts.Next();
        var process = ChildProcess.Start(
            program,
            [
                "--port", port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1",
                "--save", "", "--appendonly", "no",
            ]);
        try
        {
            await Eventually.TrueAsync(
                () => process.HasExited ? throw Ended(process) : IsListeningAsync(port),
                StartBound,
                "Redis listens").ConfigureAwait(false);
            return new RedisServer(process, port);
        }
        catch
        {
            await process.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Ends the server. Idempotent.</summary>
    public ValueTask DisposeAsync() => _process.DisposeAsync();

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
