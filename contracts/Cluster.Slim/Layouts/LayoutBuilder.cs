using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>What a serializer or field serializer describes itself to: the steps by which its values are written. Used
/// by one thread.</summary>
/// <param name="type">The type that is described.</param>
/// <param name="resolve">Finds the layout of a declared type; it may be filled later.</param>
internal sealed class LayoutBuilder(Type type, Func<Type, TypeLayout> resolve)
{
    private readonly List<FieldLayout> _fields = [];

    /// <summary>The creation part of an object.</summary>
    public StepList Creation { get; } = new(resolve);

    /// <summary>The body of an object, or a value.</summary>
    public StepList Body { get; } = new(resolve);

    public FieldLayout[] Fields => [.. _fields];

    /// <summary>The fields are written here, in this order.</summary>
    public void AddFields(IEnumerable<FieldInfo> fields)
    {
        foreach (var field in fields)
            _fields.Add(new FieldLayout(FieldNames.Shorten(field.Name), LevelOf(field), resolve(field.FieldType)));
        Body.Fields();
    }

    /// <summary>The fields lie in one block of bytes, where their offsets say.</summary>
    public void AddOverlaidFields()
    {
        foreach (var field in TypeShape.FieldsOf(type))
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"{field.Name}@{Overlays.OffsetOf(field)}");
            _fields.Add(new FieldLayout(name, 0, resolve(field.FieldType)));
        }
    }

    private int LevelOf(FieldInfo field)
    {
        var level = 0;
        for (var at = type; at is not null && at != field.DeclaringType; at = at.BaseType)
            level++;
        return level;
    }
}
