using Cluster.Glue;
using Cluster.Nodes.Liveness;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Faults;

/// <summary>Sends the connections of a node or client of a cluster to relays. A node advertises one address to all
/// other processes, so the process that connects chooses the relay. Stateless.</summary>
public static class PeerDetours
{
    /// <summary>Adds the relays to a host.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="relays">The port of the relay, by the port to which the host would connect.</param>
    public static void Add(IServiceCollection services, IReadOnlyDictionary<int, int> relays)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(relays);
        services.AddSingleton(new LivenessDetour(
            address => address with { Port = relays.GetValueOrDefault(address.Port, address.Port) }));
        services.Configure<GlueClientOptions>(options => options.Detour =
            place => new DnsEndPoint(place.Host, relays.GetValueOrDefault(place.Port, place.Port)));
    }

    /// <summary>Reads pairs of ports.</summary>
    /// <param name="text">Such as <c>7001=8001,7002=8002</c>.</param>
    public static IReadOnlyDictionary<int, int> Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Split(',', StringSplitOptions.RemoveEmptyEntries)
            .Select(pair => pair.Split('='))
            .ToDictionary(
                pair => int.Parse(pair[0], CultureInfo.InvariantCulture),
                pair => int.Parse(pair[1], CultureInfo.InvariantCulture));
    }

    /// <summary>Writes pairs of ports, as <see cref="Parse"/> reads them.</summary>
    /// <param name="relays">The pairs.</param>
    public static string Format(IReadOnlyDictionary<int, int> relays) => string.Join(
        ',', relays.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key}={pair.Value}")));
}
