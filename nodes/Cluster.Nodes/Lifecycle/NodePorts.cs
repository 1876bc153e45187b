using System.Net.Sockets;
using Cluster.Glue;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The ports of a node: opens the liveness endpoint and keeps it open until the very end, and checks early
/// whether the service port is free. Only the lifecycle uses it.</summary>
internal sealed class NodePorts(
    ClusterSettings settings, NodeIdentity self, GlueListener listener, BeaconExchange beacons) : IDisposable
{
    private LivenessEndpoint? _endpoint;

    /// <summary>Where the liveness endpoint listens.</summary>
    public LivenessAddress LivenessAddress =>
        _endpoint?.Address ?? throw new InvalidOperationException("The liveness endpoint is not open.");

    /// <summary>Opens the liveness endpoint.</summary>
    /// <exception cref="ClusterStartException">A port cannot be had.</exception>
    public void Open()
    {
        var host = settings.ListenAddress.Host;
        _endpoint = Try(
            nameof(ClusterOptions.LivenessPort), $"{host}:{settings.LivenessPort}",
            () => LivenessEndpoint.Open(self.Node, host, settings.LivenessPort, CreateGuard(), beacons.Serve));
        Probe(nameof(ClusterOptions.ListenAddress), settings.ListenAddress);
        if (settings.PeerListenAddress is { } peers)
            Probe(nameof(ClusterOptions.PeerListenAddress), peers);
    }

    public void Dispose() => _endpoint?.Dispose();

    // A liveness endpoint uses TLS where the node's own port for other nodes does.
    private LivenessGuard? CreateGuard() =>
        (settings.PeerListenAddress ?? settings.ListenAddress).Scheme == Uri.UriSchemeHttps
            ? new LivenessGuard(listener)
            : null;

    // The listener itself opens a moment later. The early check turns the usual mistake into a readable message.
    private static void Probe(string option, Uri listen)
    {
        if (listen.Port == 0)
            return;
        Try(option, listen.Authority, () =>
        {
            var address = LivenessEndpoint.ResolveLocal(listen.Host);
            using var probe = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            probe.Bind(new IPEndPoint(address, listen.Port));
            probe.Listen();
            return true;
        });
    }

    private static T Try<T>(string option, string place, Func<T> open)
    {
        try
        {
            return open();
        }
        catch (SocketException failure)
        {
            throw Unusable(option, place, failure);
        }
    }

    private static ClusterStartException Unusable(string option, string place, SocketException failure)
    {
        var path = $"{ClusterOptions.SectionName}:{option}";
        var address = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.ListenAddress)}";
        var (found, remedy) = failure.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse => (
                "is in use by another process",
                $"Set {path} to another port, or 0 for any free one, or stop what uses it."),
            SocketError.AccessDenied => (
                "may not be opened by this user", $"Set {path} to a port from 1024 on, or 0 for any free one."),
            SocketError.AddressNotAvailable => (
                "is not an address of this machine", $"Set {address} to an address of one of its network interfaces."),
            SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => (
                "names a host that is not known here", $"Set {address} to an address of this machine."),
            _ => (
                $"cannot be opened: {failure.Message}",
                $"Set {address} to an address of this machine, and {path} to a port that is free."),
        };
        return new ClusterStartException(ClusterExitCode.PortUnusable, $"{path} {place} {found}.", remedy, failure);
    }
}
