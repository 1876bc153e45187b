namespace Cluster.Glue.Client;

/// <summary>One argument that is passed without serialization, to a service of this process or to filters. The
/// arguments of a call form a linked list.</summary>
internal abstract class ArgumentBox
{
    public ArgumentBox? Next { get; set; }

    public abstract Type Type { get; }

    public abstract object? Boxed { get; }

    /// <summary>Replaces the value. False: the new value has another type.</summary>
    public abstract bool TrySet(object? value);

    public abstract void WriteTo(IArgumentWriter call);
}

/// <summary>The argument with its type. Owned by one logical thread at a time.</summary>
internal sealed class ArgumentBox<T>(T value) : ArgumentBox
{
    public T Value { get; private set; } = value;

    public override Type Type => typeof(T);

    public override object? Boxed => Value;

    public override bool TrySet(object? value)
    {
        if (value is not T && (value is not null || default(T) is not null))
            return false;
        Value = (T)value!;
        return true;
    }

    public override void WriteTo(IArgumentWriter call) => call.Write(Value);
}
