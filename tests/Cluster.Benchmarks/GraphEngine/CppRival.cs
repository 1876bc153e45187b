using System.ComponentModel;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>The C++ side of the Graph Engine test, compiled from the source beside it when it is first asked for.
/// Immutable; the program lies in a folder of its own until disposal.</summary>
public sealed class CppRival : IDisposable
{
    private static readonly string SourcePath = Path.Combine(AppContext.BaseDirectory, "unordered_map.cpp");

    private readonly DirectoryInfo _folder;

    private CppRival(DirectoryInfo folder) => _folder = folder;

    /// <summary>The program.</summary>
    public string ProgramPath => Path.Combine(_folder.FullName, "unordered_map");

    /// <summary>Compiles the program; null where that cannot be done, with the reason.</summary>
    public static CppRival? TryCompile(out string reason)
    {
        var rival = new CppRival(Directory.CreateTempSubdirectory("graph-engine-"));
        try
        {
            var start = new ProcessStartInfo("g++") { RedirectStandardError = true };
            foreach (var argument in (string[])["-std=c++17", "-O3", "-o", rival.ProgramPath, SourcePath])
                start.ArgumentList.Add(argument);
            using var compiler = Process.Start(start)!;
            reason = compiler.StandardError.ReadToEnd();
            compiler.WaitForExit();
            if (compiler.ExitCode == 0)
                return rival;
        }
        catch (Win32Exception failure)
        {
            reason = $"g++ was not found: {failure.Message}";
        }

        rival.Dispose();
        return null;
    }

    /// <inheritdoc/>
    public void Dispose() => _folder.Delete(recursive: true);
}
