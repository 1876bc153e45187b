using Cluster.Slim;

namespace Cluster.Pile.Objects;

/// <summary>The former names of types and members of stored graphs, as the user gives them, in the order of the
/// renames. Filled while options are set; only read after that.</summary>
internal sealed class TypeAliases
{
    private readonly List<(string OldName, Type Type, string? Member)> _all = [];

    /// <summary>Adds a name after Slim has checked it.</summary>
    public void Add(string oldName, Type type, string? member)
    {
        AddTo(AddTo(new SlimOptions()), (oldName, type, member));
        _all.Add((oldName, type, member));
    }

    public SlimOptions AddTo(SlimOptions options) => _all.Aggregate(options, AddTo);

    /// <summary>The type with this former name.</summary>
    public Type? Find(string fullName, string assembly) =>
        _all.FirstOrDefault(one => one.Member is null && IsCalled(one.OldName, one.Type, fullName, assembly)).Type;

    /// <summary>Whether this is a former name of the type, whatever the assembly.</summary>
    public bool IsOldName(string fullName, Type type) =>
        _all.Any(one => one.Member is null && one.Type == type && one.OldName.Split(',')[0].Trim() == fullName);

    private static SlimOptions AddTo(SlimOptions options, (string OldName, Type Type, string? Member) one) =>
        one.Member is null
            ? options.Alias(one.OldName, one.Type)
            : options.Alias(one.OldName, one.Type, one.Member);

    private static bool IsCalled(string oldName, Type type, string fullName, string assembly)
    {
        var comma = oldName.IndexOf(',', StringComparison.Ordinal);
        return comma < 0
            ? oldName.Trim() == fullName && type.Assembly.GetName().Name == assembly
            : oldName[..comma].Trim() == fullName && oldName[(comma + 1)..].Trim() == assembly;
    }
}
