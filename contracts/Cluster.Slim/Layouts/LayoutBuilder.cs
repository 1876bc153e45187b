using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>Collects the layout of one type while the type's type serializer or field serializer describes its steps.
/// Used by one thread.</summary>
/// <param name="type">The type that is described.</param>
/// <param name="resolve">Finds the layout of a declared type; that layout may still be empty.</param>
internal sealed class LayoutBuilder(Type type, Func<Type, TypeLayout> resolve)
{
    private readonly List<FieldLayout> _fields = [];

    /// <summary>The steps of the creation part of an object; see the format.</summary>
    public StepList Creation { get; } = new(resolve);

    /// <summary>The steps of the body of an object, or of a value.</summary>
    public StepList Body { get; } = new(resolve);

    public FieldLayout[] Fields => [.. _fields];

    /// <summary>Adds the step that writes the fields, and lists the fields in the order of the message.</summary>
    public void AddFields(IEnumerable<FieldInfo> fields)
    {
        foreach (var field in fields)
            _fields.Add(new FieldLayout(FieldNames.Shorten(field.Name), LevelOf(field), resolve(field.FieldType)));
        Body.Fields();
    }

    /// <summary>Lists the fields of a struct whose fields share bytes, with their offsets. The caller adds the step
    /// that writes them as one block.</summary>
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
