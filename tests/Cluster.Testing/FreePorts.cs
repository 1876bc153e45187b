using System.Net;
using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>
/// Finds loopback ports for servers that cannot bind to port 0 and report what they got. Never hands out a port twice
/// in one process. A private lock protects the set of ports already given.
/// </summary>
public static class FreePorts
{
    // Below the range from which Linux takes ports for outgoing connections, so that nobody gets ours by accident.
    private const int PortMin = 15_000;
    private const int PortMax = 32_000;
    private const int AttemptCountMax = 1_000;

    private static readonly Lock Guard = new();
    private static readonly HashSet<int> Given = [];

    /// <summary>A port on which nobody listens, neither over TCP nor UDP.</summary>
    public static int Next()
    {
        lock (Guard)
        {
            for (var attempt = 0; attempt < AttemptCountMax; attempt++)
            {
                var port = Random.Shared.Next(PortMin, PortMax);
                if (!Given.Contains(port) && IsFree(port))
                {
                    Given.Add(port);
                    return port;
                }
            }
        }

        throw new InvalidOperationException(
            $"No free port between {PortMin} and {PortMax} in {AttemptCountMax} attempts.");
    }

    /// <summary>So many different free ports.</summary>
    /// <param name="count">How many.</param>
    public static int[] Take(int count) => [.. Enumerable.Range(0, count).Select(_ => Next())];

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
