namespace Cluster.Slim.Codecs.Sql;

/// <summary>Converts a value of a database to a fixed number of bytes and back.</summary>
/// <typeparam name="TSql">The type of the database.</typeparam>
/// <typeparam name="TRaw">Its bytes; any pattern of them is a value of this type.</typeparam>
/// <param name="RawOf">Returns the bytes of a value that is not null.</param>
/// <param name="Make">Builds the value; throws the framework's exception for bytes that are not valid.</param>
internal sealed record SqlForm<TSql, TRaw>(Func<TSql, TRaw> RawOf, Func<TRaw, TSql> Make)
    where TSql : struct
    where TRaw : unmanaged;
