using System.Diagnostics;

namespace Cluster.SystemTests.Interop;

/// <summary>Finds the stock gRPC programs and says what is missing and how to get it. Stateless.</summary>
internal static class InteropTools
{
    public const string Python = "/usr/bin/python3";

    public static string Folder { get; } = FindFolder();

    public static string? MissingGrpcio { get; } = Succeeds(Python, "-c", "import grpc, google.protobuf")
        ? null
        : "needs Debian's python3-grpcio and python3-protobuf: apt-get install python3-grpcio python3-protobuf";

    public static string? MissingGrpcJs { get; } =
        Directory.Exists(Path.Combine(Folder, "js", "node_modules", "@grpc", "grpc-js"))
        && Succeeds("node", "--version")
            ? null
            : "needs node and @grpc/grpc-js: run npm ci in tests/Cluster.SystemTests/Interop/js";

    private static string FindFolder()
    {
        DirectoryInfo? at = new(AppContext.BaseDirectory);
        while (at is not null && !File.Exists(Path.Combine(at.FullName, "Cluster.sln")))
            at = at.Parent;
        return Path.Combine(at?.FullName ?? ".", "tests", "Cluster.SystemTests", "Interop");
    }

    private static bool Succeeds(string program, params string[] arguments)
    {
        try
        {
            var start = new ProcessStartInfo(program, arguments)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process process = Process.Start(start)!;
            return process.WaitForExit(120_000) && process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
