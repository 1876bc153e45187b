namespace Cluster.Testing;

/// <summary>A control group of the Linux kernel that limits the memory of one process. It exists until it is disposed.
/// Dispose it after its process has ended.</summary>
public sealed class MemoryControlGroup : IDisposable
{
    // Version 1 of control groups has a separate tree for memory, version 2 one tree for everything.
    private static readonly (string Root, string LimitFile)[] Versions =
    [
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        ("/sys/fs/cgroup", "memory.max"),
    ];

    private readonly string _path;

    /// <summary>Makes a group.</summary>
    /// <param name="name">The group's name. No other group may have it.</param>
    /// <param name="limitBytes">The memory that the processes of the group may use together.</param>
    public MemoryControlGroup(string name, long limitBytes)
    {
        var (root, limitFile) = Versions.First(version => CanMakeGroup(version.Root, version.LimitFile));
        _path = Path.Join(root, name);
        Directory.CreateDirectory(_path);
        File.WriteAllText(Path.Join(_path, limitFile), limitBytes.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>The reason why no group can be made here; <c>null</c> if one can.</summary>
    public static string? WhatIsMissing { get; } = Versions.Any(version => CanMakeGroup(version.Root, version.LimitFile))
        ? null
        : "needs the right to make memory control groups";

    /// <summary>Returns a command line that puts its own process into the group and then executes another
    /// program.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">The arguments, unquoted.</param>
    /// <returns>The arguments of <c>/bin/sh</c>.</returns>
    public IReadOnlyList<string> ShellArguments(string program, params string[] arguments) =>
        ["-c", "echo $$ > \"$0\" && exec \"$@\"", Path.Join(_path, "cgroup.procs"), program, .. arguments];

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_path);

    private static bool CanMakeGroup(string root, string limitFile)
    {
        var path = Path.Join(root, $"cluster-probe-{Environment.ProcessId}-{Guid.NewGuid():N}");
        try
        {
            if (!Directory.Exists(root))
                return false;
            Directory.CreateDirectory(path);
            var isGroup = File.Exists(Path.Join(path, limitFile));
            Directory.Delete(path);
            return isGroup;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
