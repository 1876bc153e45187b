namespace Cluster.Pile.Memory;

/// <summary>Finds the limits that the system sets on the memory of this process: its address space, and its control
/// group with all groups above it, of version 1 and 2. Immutable; reads the files again each time.</summary>
internal sealed class MemoryLimits(string groupFile, string groupRoot)
{
    private readonly string _groupFile = groupFile;
    private readonly string _groupRoot = groupRoot;

    public static MemoryLimits OfThisProcess { get; } = new("/proc/self/cgroup", "/sys/fs/cgroup");

    /// <summary>The tightest limit on this process; null where none is set or can be read.</summary>
    public MemoryLimit? Smallest()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        MemoryLimit? smallest = null;
        foreach (var limit in All())
        {
            if (smallest is null || limit.Bytes < smallest.Value.Bytes)
                smallest = limit;
        }

        return smallest;
    }

    /// <summary>The limit on the addresses of this process; null where none is set.</summary>
    public static MemoryLimit? AddressSpace()
    {
        if (!OperatingSystem.IsLinux() || LinuxCalls.GetLimit(LinuxCalls.LimitAddressSpace, out var limit) != 0)
            return null;
        var isLimited = limit.Current < long.MaxValue;
        return isLimited ? new MemoryLimit("address-space limit (RLIMIT_AS)", (long)limit.Current) : null;
    }

    /// <summary>The path of the control group in a line of <c>/proc/self/cgroup</c>; null for lines of other
    /// controllers.</summary>
    public static string? GroupPath(string line)
    {
        var parts = line.Split(':', 3);
        if (parts.Length != 3)
            return null;
        if (parts[1].Length == 0)
            return parts[2];
        return parts[1].Split(',').Contains("memory") ? "/memory" + parts[2] : null;
    }

    /// <summary>The figure in a limit file; null for "max", for unreadable text, and for the kernel's "no limit"
    /// figures.</summary>
    public static long? Parse(string text) =>
        long.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)
            && bytes < long.MaxValue / 2 ? bytes : null;

    private IEnumerable<MemoryLimit> All()
    {
        if (AddressSpace() is { } addresses)
            yield return addresses;
        foreach (var path in GroupPaths())
        {
            foreach (var file in (string[])["memory.max", "memory.limit_in_bytes"])
            {
                if (ReadLimit(Path.Join(path, file)) is { } bytes)
                    yield return new MemoryLimit($"control-group limit in {Path.Join(path, file)}", bytes);
            }
        }
    }

    // Every ancestor of the group limits it too. Inside a container the group may look like the root.
    private IEnumerable<string> GroupPaths()
    {
        if (!File.Exists(_groupFile))
            yield break;
        foreach (var line in File.ReadLines(_groupFile))
        {
            for (var group = GroupPath(line); !string.IsNullOrEmpty(group); group = Path.GetDirectoryName(group))
                yield return Path.Join(_groupRoot, group);
        }
    }

    private static long? ReadLimit(string path)
    {
        try
        {
            return File.Exists(path) ? Parse(File.ReadAllText(path)) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>A limit that the system sets on the memory of this process, by name. An immutable value.</summary>
/// <param name="Name">The source of the limit, for the message.</param>
/// <param name="Bytes">The limit.</param>
internal readonly record struct MemoryLimit(string Name, long Bytes);
