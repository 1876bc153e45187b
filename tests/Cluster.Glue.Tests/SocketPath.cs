namespace Cluster.Glue.Tests;

/// <summary>Addresses of Unix domain sockets, each in a folder of its own that the server makes. All of them lie in one
/// folder, which is deleted when the process of the tests ends.</summary>
internal static class SocketPath
{
    private static readonly Lazy<string> Root = new(CreateRoot);
    private static int _lastNumber;

    public static string New() => $"unix://{Path.Combine(Root.Value, $"{Interlocked.Increment(ref _lastNumber)}", "s")}";

    private static string CreateRoot()
    {
        var root = Directory.CreateTempSubdirectory("glue-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(root, recursive: true);
        return root;
    }
}
