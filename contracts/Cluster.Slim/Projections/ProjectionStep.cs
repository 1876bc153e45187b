using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Projections;

/// <summary>One field on the path to a projected member, with its position in the layouts that were met. Safe for many
/// threads; the cached position of a layout is collected with the layout.</summary>
internal sealed class ProjectionStep(FieldInfo member, SerializerRegistry registry)
{
    private readonly ConditionalWeakTable<TypeLayout, Match> _matches = [];

    public FieldInfo Field => member;

    public Match MatchOf(TypeLayout layout, AdmittedTypes allowed) =>
        _matches.TryGetValue(layout, out var known) ? known : Add(layout, allowed);

    private Match Add(TypeLayout layout, AdmittedTypes allowed)
    {
        var type = layout.Type ?? allowed.FindByName(layout.Name)?.Type
            ?? throw allowed.Unknown(layout.Name);
        if (!member.DeclaringType!.IsAssignableFrom(type))
            throw Throw.Layout(layout.Name, $"{layout.Name} has no member {MemberNames.Of(member)}.");
        var index = Array.FindIndex(
            new FieldMatching(registry.Rules, registry.Names).Match(type, layout),
            found => found is not null && found.Name == member.Name && found.DeclaringType == member.DeclaringType);
        Match match = new(index, index < 0 ? null : FieldSerializerOf(layout, layout.Fields[index]));
        _matches.AddOrUpdate(layout, match);
        return match;
    }

    private FieldSerializer FieldSerializerOf(TypeLayout layout, FieldLayout described) =>
        layout.Place is DescribedPlace place
        ? place.Types.NewFieldSerializer(member.FieldType, described.Type, $"{layout.Name}.{MemberNames.Of(member)}")
        : registry.FieldSerializerOf(member.FieldType);

    /// <summary>The field in a layout.</summary>
    /// <param name="Index">Its position among the fields; -1 if the layout does not have it.</param>
    /// <param name="Serializer">The serializer of its values.</param>
    public sealed record Match(int Index, FieldSerializer? Serializer);
}
