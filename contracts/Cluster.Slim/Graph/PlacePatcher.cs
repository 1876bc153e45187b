using Cluster.Slim.Errors;
using Cluster.Slim.Types;

namespace Cluster.Slim.Graph;

/// <summary>Puts real objects into places that refer to their substitutes: fields of user types, elements of arrays and
/// lists, values of dictionaries. A substitute in any other place is refused at the end. Made for one
/// message.</summary>
internal sealed class PlacePatcher(ObjectParts parts, Substitutions substitutions)
{
    private readonly List<object> _doubtful = [];

    public void Patch(object holder)
    {
        // The entries of a dictionary are in objects of its own, which may only be changed through the dictionary.
        if (holder is IDictionary map && TypeRules.IsFramework(holder.GetType()))
            PatchValues(map);
        if (!Holds(holder))
            return;
        if (holder is Array array)
            PatchElements(array);
        else
            PatchFields(holder);
        if (Holds(holder))
            _doubtful.Add(holder);
    }

    /// <summary>Patches content that waits to be filled into an object: an array, or an object that holds
    /// arrays.</summary>
    public void PatchContent(object content)
    {
        Patch(content);
        foreach (var array in parts.Of(content).OfType<Array>())
            Patch(array);
    }

    /// <summary>Refuses substitutes that could not be replaced, neither in their holder nor through the object that
    /// owns it.</summary>
    public void CheckAll()
    {
        foreach (var holder in _doubtful)
        {
            if (parts.Of(holder).FirstOrDefault(p => substitutions.TryFind(p, out _)) is { } left)
            {
                throw Throw.NotSupported(
                    left.GetType(),
                    $"a {holder.GetType()} holds it, it stands for another object that was not known when that was "
                    + "filled, because the graph is a cycle there, and it cannot be replaced in it.");
            }
        }
    }

    private bool Holds(object holder) => parts.Of(holder).Any(part => substitutions.TryFind(part, out _));

    private void PatchElements(Array array)
    {
        var isInline = array.GetType().GetElementType()!.IsValueType;
        int[] index = [.. Enumerable.Range(0, array.Rank).Select(array.GetLowerBound)];
        for (long i = 0; i < array.LongLength; i++)
        {
            if (array.GetValue(index) is { } element)
                PatchElement(array, index, element, isInline);
            Advance(array, index);
        }
    }

    private void PatchElement(Array array, int[] index, object element, bool isInline)
    {
        if (isInline)
        {
            if (PatchFields(element))
                array.SetValue(element, index);
        }
        else if (substitutions.TryFind(element, out var real))
        {
            CheckFits(element, real, array.GetType().GetElementType()!);
            array.SetValue(real, index);
        }
    }

    private static void Advance(Array array, int[] index)
    {
        for (var d = index.Length - 1; d >= 0; d--)
        {
            if (++index[d] <= array.GetUpperBound(d))
                return;
            index[d] = array.GetLowerBound(d);
        }
    }

    private void PatchValues(IDictionary map)
    {
        List<(object Key, object Real)> found = [];
        foreach (DictionaryEntry entry in map)
        {
            if (entry.Value is { } value && substitutions.TryFind(value, out var real))
                found.Add((entry.Key, real));
        }

        foreach ((var key, var real) in found)
            map[key] = real;
    }

    private bool PatchFields(object holder)
    {
        var isChanged = false;
        foreach (var field in parts.FieldsOf(holder.GetType()))
        {
            var declarer = field.DeclaringType!;
            if (TypeRules.IsFramework(declarer) && !FrameworkForms.IsPublicFieldsStruct(declarer))
                continue;
            if (field.GetValue(holder) is not { } value)
                continue;
            object? put = null;
            if (field.FieldType.IsValueType)
                put = PatchFields(value) ? value : null;
            else if (substitutions.TryFind(value, out var real))
                put = CheckFits(value, real, field.FieldType);
            if (put is null)
                continue;
            field.SetValue(holder, put);
            isChanged = true;
        }

        return isChanged;
    }

    private static object CheckFits(object value, object real, Type place)
    {
        if (!place.IsInstanceOfType(real))
            Throw.Malformed($"A {value.GetType()} stands for a {real.GetType()}, which does not fit a {place}.");
        return real;
    }
}
