using Cluster.Glue.Client;

namespace Cluster.Glue.Filters;

/// <summary>The arguments of a call for its filters, in order and without the cancellation token. Used by one filter at
/// a time.</summary>
public sealed class GlueArguments : IReadOnlyList<object?>
{
    private readonly ArgumentBox[] _boxes;
    private readonly MethodInfo _method;

    internal GlueArguments(MethodInfo method, ArgumentBox? first)
    {
        _method = method;
        var boxes = new List<ArgumentBox>();
        for (var box = first; box is not null; box = box.Next)
            boxes.Add(box);
        _boxes = [.. boxes];
    }

    /// <summary>The first of the linked arguments; null without any.</summary>
    internal ArgumentBox? First => _boxes.Length > 0 ? _boxes[0] : null;

    /// <summary>The number of arguments.</summary>
    public int Count => _boxes.Length;

    /// <summary>One argument. Another one may be put in its place; an object may be changed as well.</summary>
    /// <param name="index">Its position among the arguments that travel.</param>
    /// <exception cref="ArgumentException">The value is not of the parameter's type.</exception>
    public object? this[int index]
    {
        get => _boxes[index].Boxed;
        set
        {
            if (_boxes[index].TrySet(value))
                return;
            throw new ArgumentException(
                $"Argument {index} of {_method.DeclaringType}.{_method.Name} is of {_boxes[index].Type}; "
                + $"{value?.GetType().ToString() ?? "null"} cannot take its place.",
                nameof(value));
        }
    }

    /// <inheritdoc />
    public IEnumerator<object?> GetEnumerator() => _boxes.Select(box => box.Boxed).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
