namespace Cluster.Slim;

/// <summary>What a serializer trusts the bytes it reads to be; fixed per instance.</summary>
public enum SlimProfile
{
    /// <summary>Bytes crossed a wire: a closed type list per root type, limits and validation of values.</summary>
    Contract,

    /// <summary>Bytes come from ourselves: any type that can be carried, found by name. The deny list
    /// stays.</summary>
    Trusted,

    /// <summary>Bytes never leave the process: types travel as integers that only this serializer knows.</summary>
    InProcess,
}
