using System.Security.Cryptography;

namespace Cluster.Nodes.Liveness;

/// <summary>A short name for the network stack that this process runs on: the same for all processes that share a
/// loopback interface, different between machines, boots and network namespaces. Stateless.</summary>
internal static class KernelTag
{
    private const string BootIdPath = "/proc/sys/kernel/random/boot_id";
    private const int TagBytes = 8;
    private const string NetworkNamespacePath = "/proc/self/ns/net";

    /// <summary>The tag of this process.</summary>
    public static string Read()
    {
        var seen = $"{Environment.MachineName}|{ReadText(BootIdPath)}|{ReadLink(NetworkNamespacePath)}";
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(seen)).AsSpan(0, TagBytes));
    }

    private static string ReadText(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllText(path).Trim() : "";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // A system that hides its boot id still has a machine name.
            return "";
        }
    }

    private static string ReadLink(string path)
    {
        try
        {
            return new FileInfo(path).LinkTarget ?? "";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
