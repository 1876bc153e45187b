namespace Cluster.Testing;

/// <summary>A small file system in memory. Only one process and its children see it, in a folder; it disappears when
/// they end. Needs Linux and the right to mount, which most systems give to every user in a name space of its own.
/// Stateless.</summary>
public static class SmallDisk
{
    private const string Script
        = "mount -t tmpfs -o size=\"$0\",mode=0700 tmpfs \"$1\" && shift && exec \"$@\"";

    /// <summary>The reason why no disk can be mounted here; <c>null</c> if one can.</summary>
    public static string? WhatIsMissing { get; } = CanMount()
        ? null
        : "needs the right to mount a file system in a name space of its own (unshare -rm)";

    /// <summary>Returns a command line that mounts the disk and then executes another program.</summary>
    /// <param name="folder">The folder in which the process sees the disk; must exist.</param>
    /// <param name="bytes">The size of the disk.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">The arguments, unquoted.</param>
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
            // The program unshare does not exist here.
            return false;
        }
        finally
        {
            Directory.Delete(folder);
        }
    }
}
