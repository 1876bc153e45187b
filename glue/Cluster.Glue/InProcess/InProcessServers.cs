using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Cluster.Glue.Serving;

namespace Cluster.Glue.InProcess;

/// <summary>
/// The servers of this process by name. Process-wide by its nature: it is to <c>inproc://</c> what the network is to
/// <c>http://</c>. A concurrent dictionary protects itself.
/// </summary>
internal static class InProcessServers
{
    public const string Scheme = "inproc";

    private static readonly ConcurrentDictionary<string, ServerRuntime> Servers = new(StringComparer.OrdinalIgnoreCase);

    public static void Add(string name, ServerRuntime server)
    {
        if (!Servers.TryAdd(name, server))
        {
            throw new InvalidOperationException(
                $"A Glue server named '{name}' already runs in this process; give this one another InProcessName.");
        }
    }

    public static void Remove(string name, ServerRuntime server)
        => Servers.TryRemove(new KeyValuePair<string, ServerRuntime>(name, server));

    public static bool TryGet(string name, [NotNullWhen(true)] out ServerRuntime? server)
        => Servers.TryGetValue(name, out server);
}
