namespace Cluster.Slim.Codecs.Sql;

/// <summary>How a value of a database becomes bytes of one size, and is made of them again.</summary>
/// <typeparam name="TSql">The type of the database.</typeparam>
/// <typeparam name="TRaw">Its bytes; any pattern of them is a value of this type.</typeparam>
/// <param name="RawOf">Takes a value that is not null apart.</param>
/// <param name="Make">Makes the value; throws what the framework throws for parts that make no sense.</param>
internal sealed record SqlForm<TSql, TRaw>(Func<TSql, TRaw> RawOf, Func<TRaw, TSql> Make)
    where TSql : struct
    where TRaw : unmanaged;
