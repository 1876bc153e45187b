using Cluster.ConventionTests.Model;
using Cluster.Testing;

namespace Cluster.ConventionTests.Ci;

/// <summary>The script that finds or fetches Consul, tested with a made-up program instead of Consul.</summary>
[Trait("Case", "repair-D")]
public sealed class ConsulScriptTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("consul");

    public void Dispose() => _folder.Delete(recursive: true);

    [RequiresUnixFact]
    public async Task Script_WithAProgramThatPrintsMuch_PrintsItsPath_AndSucceeds()
    {
        var program = Path.Combine(_folder.FullName, "consul");
        // The output is far larger than the buffer of a pipe: the program still writes when the script has read the
        // first line.
        await File.WriteAllTextAsync(program, "#!/bin/bash\nset -euo pipefail\necho Consul v9\nseq 1 200000\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);

        await using var script = ChildProcess.Start(
            "bash", [Path.Combine(RepositorySnapshot.RootFolder, "deploy", "get-consul.sh"), _folder.FullName]);

        Assert.Equal(0, await script.WaitForExitAsync(Bound));
        Assert.Equal([program, "Consul v9"], script.Lines.Order(StringComparer.Ordinal));
    }
}
