namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>A session as a value of the cluster's state. Only its owner changes it.</summary>
internal sealed class SessionRecord
{
    /// <summary>The name of the state.</summary>
    public const string StateName = "aspnetcore.sessions";

    // What one key counts beside its characters and its value.
    private const int BytesPerKey = 16;

    /// <summary>What <c>ISession.Id</c> gives. It stays as long as the session.</summary>
    public Guid Id { get; set; }

    /// <summary>The values by their keys.</summary>
    public Dictionary<string, byte[]> Values { get; set; } = [];

    /// <summary>The typed values by the names of their types.</summary>
    public Dictionary<string, object> States { get; set; } = [];

    /// <summary>What one value counts against the limit of a session, in bytes.</summary>
    public static long BytesOf(string key, byte[] value) =>
        BytesPerKey + (2L * key.Length) + value.Length;

    /// <summary>What the session counts against its limit, in bytes.</summary>
    public long CountBytes()
    {
        long bytes = 0;
        foreach (var (key, value) in Values)
            bytes += BytesOf(key, value);
        return bytes;
    }
}
