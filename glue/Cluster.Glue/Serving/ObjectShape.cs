using Cluster.Glue.Client;

namespace Cluster.Glue.Serving;

/// <summary>Moves values of one type between a served call, which knows the type, and filters, which see objects.
/// Stateless.</summary>
internal abstract class ObjectShape
{
    public static ObjectShape Of(Type type) =>
        (ObjectShape)Activator.CreateInstance(typeof(ObjectShape<>).MakeGenericType(type))!;

    public abstract ArgumentBox Read(IncomingCall call);

    public abstract bool Accepts(object? value);

    public abstract void Conclude(IncomingCall call, object? result);
}

/// <summary>The shape for the type <typeparamref name="T"/>. Stateless.</summary>
internal sealed class ObjectShape<T> : ObjectShape
{
    public override ArgumentBox Read(IncomingCall call) => new ArgumentBox<T>(call.Read<T>());

    public override bool Accepts(object? value) => value is T || (value is null && default(T) is null);

    public override void Conclude(IncomingCall call, object? result) =>
        call.ConcludeFiltered(result is T value ? value : default!);
}
