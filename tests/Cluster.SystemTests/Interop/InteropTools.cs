using Cluster.Testing;

namespace Cluster.SystemTests.Interop;

/// <summary>Finds the stock gRPC programs. If one is missing, tells which and how to get it. Stateless.</summary>
internal static class InteropTools
{
    public const string Python = "/usr/bin/python3";
    public const string Node = "node";

    /// <summary>Grpc.Net.Client and Grpc.AspNetCore.Server, which run in the test's own process.</summary>
    public const string CSharp = "C#";

    private static string Folder { get; } = Path.Combine(RepositoryFolder.Path, "tests", "Cluster.SystemTests", "Interop");

    public static string? MissingGrpcio { get; } =
        Succeeds(Python, "-c", "import grpc, google.protobuf") && Succeeds("protoc", "--version")
            ? null
            : "needs Debian's packages: apt-get install python3-grpcio python3-protobuf protobuf-compiler libprotobuf-dev";

    public static string? MissingGrpcJs { get; } =
        Directory.Exists(Path.Combine(Folder, "js", "node_modules", "@grpc", "grpc-js"))
        && Succeeds(Node, "--version")
            ? null
            : "needs node and @grpc/grpc-js: run npm ci in tests/Cluster.SystemTests/Interop/js";

    /// <summary>The path of a program's script.</summary>
    public static string ScriptOf(string program, string name) =>
        program == Python ? Path.Combine(Folder, "python", name + ".py") : Path.Combine(Folder, "js", name + ".js");

    private static bool Succeeds(string program, params string[] arguments)
    {
        try
        {
            var start = new ProcessStartInfo(program, arguments)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using var process = Process.Start(start)!;
            return process.WaitForExit(120_000) && process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
