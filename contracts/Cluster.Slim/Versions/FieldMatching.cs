using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Versions;

/// <summary>Finds the field of this process's type for each field of a described type: 1. by name and declaring type;
/// 2. by a former name from the options, and declaring type; 3. by name alone, where that is unambiguous: fields that
/// moved to a base class, properties that were fields.</summary>
internal sealed class FieldMatching(TypeRules rules, LayoutNames names)
{
    private readonly HashSet<FieldInfo> _taken = [];

    /// <summary>One entry per described field; null for a field that this process's type does not have.</summary>
    public FieldInfo?[] Match(Type type, TypeLayout described)
    {
        IReadOnlyList<FieldInfo> own = FrameworkForms.IsPublicFieldsStruct(type)
            ? type.GetFields(BindingFlags.Instance | BindingFlags.Public)
            : TypeShape.FieldsOf(type);
        var matches = new FieldInfo?[described.Fields.Length];
        Assign(described, matches, field => own.FirstOrDefault(o =>
            FieldNames.Shorten(o.Name) == field.Name && DeclaresSame(type, described, field, o)));
        Assign(described, matches, field => own.FirstOrDefault(o =>
            rules.HadName(o, FieldNames.MemberOf(field.Name)) && DeclaresSame(type, described, field, o)));
        FieldLayout[] left = [.. described.Fields.Where((_, i) => matches[i] is null)];
        FieldInfo[] free = [.. own.Where(o => !_taken.Contains(o))];
        Assign(described, matches, field => FindUnambiguous(field, left, free));
        return matches;
    }

    private void Assign(TypeLayout described, FieldInfo?[] matches, Func<FieldLayout, FieldInfo?> find)
    {
        for (var i = 0; i < matches.Length; i++)
        {
            if (matches[i] is null && find(described.Fields[i]) is { } found && _taken.Add(found))
                matches[i] = found;
        }
    }

    private bool DeclaresSame(Type type, TypeLayout described, FieldLayout field, FieldInfo own) => field.Level == 0
        ? own.DeclaringType == type
        : names.Means(described.DeclarerOf(field), own.DeclaringType!);

    private static FieldInfo? FindUnambiguous(FieldLayout field, FieldLayout[] left, FieldInfo[] free)
    {
        var member = FieldNames.MemberOf(field.Name);
        FieldInfo[] found = [.. free.Where(o => FieldNames.MemberOf(FieldNames.Shorten(o.Name)) == member)];
        return found.Length == 1 && left.Count(f => FieldNames.MemberOf(f.Name) == member) == 1 ? found[0] : null;
    }
}
