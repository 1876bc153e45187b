namespace Cluster.Glue.Tests;

/// <summary>Addresses of Unix domain sockets, each in a folder of its own that the server makes.</summary>
internal static class SocketPath
{
    public static string New()
        => $"unix://{Path.Combine(Path.GetTempPath(), "glue-" + Guid.NewGuid().ToString("N")[..12], "s")}";
}
