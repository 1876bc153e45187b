using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>Finds loopback ports for servers that cannot bind to port 0 and report the port that they got. No port is
/// returned twice, even if several test processes run at the same time: each process reserves whole blocks of ports and
/// listens on the first port of a block as long as it lives. A private lock protects the blocks.</summary>
public static class FreePorts
{
    // The range lies below the ports that Linux uses for outgoing connections, so that no connection takes one of our
    // ports by chance.
    private const int PortMin = 15_000;
    private const int PortMax = 32_000;
    private const int BlockLength = 50;
    private const int AttemptCountMax = 1_000;

    private static readonly Lock Guard = new();

    // Never read. An open listener reserves its block, so it must not be garbage-collected.
    private static readonly List<TcpListener> Claims = [];
    private static readonly Queue<int> Rest = [];

    /// <summary>Returns a port on which no process listens, neither over TCP nor UDP.</summary>
    public static int Next()
    {
        lock (Guard)
        {
            for (var attempt = 0; attempt < AttemptCountMax; attempt++)
            {
                if (Rest.TryDequeue(out var port))
                {
                    if (IsFree(port))
                        return port;
                }
                else
                {
                    TryClaimBlockNeedsLock();
                }
            }
        }

        throw new InvalidOperationException(
            $"No free port between {PortMin} and {PortMax} in {AttemptCountMax} attempts.");
    }

    /// <summary>A number of different free ports.</summary>
    /// <param name="count">The number of ports.</param>
    public static int[] Take(int count) => [.. Enumerable.Range(0, count).Select(_ => Next())];

    private static void TryClaimBlockNeedsLock()
    {
        var first = PortMin + (BlockLength * Random.Shared.Next((PortMax - PortMin) / BlockLength));
        var claim = new TcpListener(IPAddress.Loopback, first);
        try
        {
            claim.Start();
        }
        catch (SocketException)
        {
            claim.Dispose();
            return;
        }

        Claims.Add(claim);
        foreach (var port in Enumerable.Range(first + 1, BlockLength - 1))
            Rest.Enqueue(port);
    }

    private static bool IsFree(int port)
    {
        try
        {
            using var tcp = new TcpListener(IPAddress.Loopback, port);
            tcp.Start();
            using var udp = new UdpClient(new IPEndPoint(IPAddress.Loopback, port));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
