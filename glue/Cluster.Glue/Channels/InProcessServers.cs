using Cluster.Glue.Sessions;

namespace Cluster.Glue.Channels;

/// <summary>The servers of this process by name. Process-wide, because it is to <c>inproc://</c> what the network is to
/// <c>http://</c>. A concurrent dictionary protects itself; its version changes after it.</summary>
internal static class InProcessServers
{
    private static readonly ConcurrentDictionary<string, ServerRuntime> Servers = new(StringComparer.OrdinalIgnoreCase);
    private static int _version;

    /// <summary>Changes whenever a name may lead to another server.</summary>
    public static int Version => Volatile.Read(ref _version);

    public static void Add(string name, ServerRuntime server)
    {
        if (!Servers.TryAdd(name, server))
        {
            throw new InvalidOperationException(
                $"A Glue server named '{name}' already runs in this process; give this one another InProcessName.");
        }

        Interlocked.Increment(ref _version);
    }

    public static void Remove(string name, ServerRuntime server)
    {
        Servers.TryRemove(new KeyValuePair<string, ServerRuntime>(name, server));
        Interlocked.Increment(ref _version);
    }

    public static ServerRuntime? Find(string name) => Servers.GetValueOrDefault(name);
}
