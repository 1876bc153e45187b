namespace Cluster.Testing;

/// <summary>A control group of the kernel with a limit on memory, for one process that a test starts. Exists until it
/// is disposed, which needs its process to have ended.</summary>
public sealed class MemoryControlGroup : IDisposable
{
    // Version 1 has a tree for memory alone, version 2 one for everything.
    private static readonly (string Root, string LimitFile)[] Versions =
    [
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        ("/sys/fs/cgroup", "memory.max"),
    ];

    private readonly string _path;

    /// <summary>Makes a group.</summary>
    /// <param name="name">Its name; another group of that name must not exist.</param>
    /// <param name="limitBytes">How much memory its processes may take together.</param>
    public MemoryControlGroup(string name, long limitBytes)
    {
        var (root, limitFile) = Versions.First(version => CanMakeGroup(version.Root, version.LimitFile));
        _path = Path.Join(root, name);
        Directory.CreateDirectory(_path);
        File.WriteAllText(Path.Join(_path, limitFile), limitBytes.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Why no group can be made here; <c>null</c> when one can.</summary>
    public static string? WhatIsMissing { get; } = Versions.Any(version => CanMakeGroup(version.Root, version.LimitFile))
        ? null
        : "needs the right to make memory control groups";

    /// <summary>A command line that puts itself into the group and then becomes another program.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments, unquoted.</param>
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
