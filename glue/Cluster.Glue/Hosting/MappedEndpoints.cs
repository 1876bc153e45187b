using Cluster.Glue.Settings;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Hosting;

/// <summary>Knows whether Glue is mapped into the host's endpoints, and finds out whether any of them speaks HTTP/2, by
/// a request to each: the configuration of an endpoint cannot be read from Kestrel. An HTTP/1 endpoint answers at once.
/// No answer in time means that the machine is busy, and proves nothing. The flag is set once, before the host
/// starts.</summary>
internal sealed class MappedEndpoints(IServiceProvider services)
{
    private static readonly TimeSpan ProbeTimeout = TimeSpan.FromSeconds(5);

    public bool IsMapped { get; set; }

    /// <exception cref="InvalidOperationException">No endpoint of the host can carry Glue.</exception>
    public async Task CheckAsync(ServerSettings settings, CancellationToken cancellationToken)
    {
        var addresses =
            services.GetService<IServer>()?.Features.Get<IServerAddressesFeature>()?.Addresses;
        // Without addresses the server is in memory, as in tests. With TLS each connection negotiates the protocol.
        if (addresses is null || addresses.Count == 0 || addresses.Any(IsEncrypted))
            return;
        using var invoker = new HttpMessageInvoker(
            new SocketsHttpHandler { UseProxy = false, ActivityHeadersPropagator = null });
        using var timeout = new CancellationTokenSource(ProbeTimeout, settings.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        foreach (var address in addresses)
        {
            var speaksHttp2 = await SpeaksHttp2Async(invoker, address, either.Token).ConfigureAwait(false);
            if (speaksHttp2 || timeout.IsCancellationRequested)
                return;
        }

        throw new InvalidOperationException(
            $"MapGlue: none of this host's endpoints ({string.Join(", ", addresses)}) speaks HTTP/2 without TLS. "
            + "Give Glue an endpoint of its own: Kestrel:Endpoints:Glue:Url=http://localhost:5101 and "
            + "Kestrel:Endpoints:Glue:Protocols=Http2, or set Glue:Server:ListenAddress instead of calling MapGlue.");
    }

    private static bool IsEncrypted(string address) => address.StartsWith("https:", StringComparison.OrdinalIgnoreCase);

    private static async Task<bool> SpeaksHttp2Async(
        HttpMessageInvoker invoker, string address, CancellationToken cancellationToken)
    {
        if (!ListenAddress.TryParse(address, out var parsed))
            return false;
        var isAny = parsed.Ip.Equals(IPAddress.Any) || parsed.Ip.Equals(IPAddress.IPv6Any);
        var host = isAny ? "localhost" : parsed.Host;
        try
        {
            // The path is no method of Glue: a request to a method that is no call would be refused with a warning at
            // each start.
            var target = new Uri($"http://{host}:{parsed.Port}/{GlueWire.ServiceName}/Probe");
            using var request = new HttpRequestMessage(HttpMethod.Post, target)
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            };
            using var response = await invoker.SendAsync(request, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException)
        {
            return false;
        }
    }
}
