namespace Cluster.Slim;

/// <summary>What a serializer trusts the bytes it reads to be; fixed per instance.</summary>
public enum SlimProfile
{
    /// <summary>Bytes crossed a wire: a closed type list per root type, limits and validation of values.</summary>
    Contract,

    /// <summary>Bytes come from ourselves: any type that can be carried. Names lead to types that the serializer has
    /// met, or that <see cref="SlimOptions.TypeResolver"/> finds. The deny list and all limits stay; callbacks and
    /// delegates need their opt-in as in <see cref="Contract"/>.</summary>
    Trusted,

    /// <summary>Bytes never leave the process: types travel as integers that only this serializer knows, and the
    /// serialization code of every type runs without opt-in.</summary>
    InProcess,
}
