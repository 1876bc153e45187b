using System.Net.Sockets;
using Cluster.Testing;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A process that runs a Redis server without persistence, and ends it when its own standard input ends: the
/// server itself would outlive a benchmark that was killed. Prints the port, or why there is no server.</summary>
public static class RedisServer
{
    /// <summary>The argument that starts this instead of a benchmark.</summary>
    public const string Argument = "--redis-server";

    /// <summary>Names the program where it is not on the search path.</summary>
    public const string PathVariable = "REDIS_SERVER";

    private static readonly TimeSpan StartTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    /// <summary>Runs the server.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the port; an empty one where there is no server.</param>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        var port = FreePorts.Next();
        using var server = TryStart(port);
        var isReady = server is not null && await IsReadyAsync(server, port);
        await output.WriteLineAsync(isReady ? port.ToString(CultureInfo.InvariantCulture) : "");
        await output.FlushAsync();
        await input.ReadToEndAsync();
        if (server is { HasExited: false })
        {
            server.Kill();
            await server.WaitForExitAsync();
        }

        return 0;
    }

    private static Process? TryStart(int port)
    {
        var program = Environment.GetEnvironmentVariable(PathVariable) ?? "redis-server";
        string[] arguments =
        [
            "--port", port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1",
            "--save", "", "--appendonly", "no",
        ];
        try
        {
            // Its lines must not mix with the one line of this process, and nobody would read a pipe.
            return Process.Start(new ProcessStartInfo(program, [.. arguments, "--logfile", "/dev/null"])
            {
                UseShellExecute = false,
            });
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    private static async Task<bool> IsReadyAsync(Process server, int port)
    {
        var started = Stopwatch.GetTimestamp();
        while (!server.HasExited && Stopwatch.GetElapsedTime(started) < StartTime)
        {
            try
            {
                using var probe = new TcpClient();
                await probe.ConnectAsync(IPAddress.Loopback, port);
                return true;
            }
            catch (SocketException)
            {
                await Task.Delay(Pause, TimeProvider.System);
            }
        }

        return false;
    }
}
