namespace Cluster.Testing;

/// <summary>A file system in memory, as small as a test wants, that one process and its children see in a folder, and
/// that is gone with them. Needs Linux and the right to mount, which most systems give to everybody in a name space of
/// their own. Stateless.</summary>
public static class SmallDisk
{
    private const string Script
        = "mount -t tmpfs -o size=\"$0\",mode=0700 tmpfs \"$1\" && shift && exec \"$@\"";

    /// <summary>Why there is none here; <c>null</c> when there is.</summary>
    public static string? WhatIsMissing { get; } = CanMount()
        ? null
        : "needs the right to mount a file system in a name space of its own (unshare -rm)";

    /// <summary>A command line that mounts the disk and then becomes another program.</summary>
    /// <param name="folder">Where the process sees the disk; must exist.</param>
    /// <param name="bytes">How large it is.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments, unquoted.</param>
    /// <returns>The arguments of <c>unshare</c>.</returns>
    public static IReadOnlyList<string> UnshareArguments(
        string folder, long bytes, string program, params string[] arguments) =>
        [
            "-rm", "/bin/sh", "-c", Script, bytes.ToString(CultureInfo.InvariantCulture), folder, program,
            .. arguments,
        ];

    private static bool CanMount()
    {
        if (!OperatingSystem.IsLinux())
            return false;
        var folder = Directory.CreateTempSubdirectory("cluster-probe-").FullName;
        try
        {
            var start = new ProcessStartInfo("unshare", UnshareArguments(folder, 1 << 20, "true"))
            {
                RedirectStandardError = true,
            };
            using var probe = Process.Start(start)!;
            probe.StandardError.ReadToEnd();
            probe.WaitForExit();
            return probe.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // There is no such program.
            return false;
        }
        finally
        {
            Directory.Delete(folder);
        }
    }
}
