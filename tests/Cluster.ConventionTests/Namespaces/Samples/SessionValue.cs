using Cluster.Nodes.AspNetCore;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Reads a typed value of a session.</summary>
internal static class SessionValue
{
    public static async Task<string?> FindAsync(ISessionState<string> value, CancellationToken cancellationToken) =>
        await value.GetAsync(cancellationToken);
}
